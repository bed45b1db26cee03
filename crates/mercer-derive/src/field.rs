//! One field of a parameter struct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Lit, LitStr, Meta, Token, Type, parenthesized};

/// What a field holds.
enum Kind {
    /// A number; the token is a variant of `Range`.
    Number(TokenStream),
    Count,
    Counts,
    Switch,
    Words(Vec<LitStr>),
    Kernel,
    ClassWeights,
    /// A type with settings of its own: all, or those named.
    Group(Vec<LitStr>),
    Skip,
}

/// A field with its attribute.
pub(crate) struct Field {
    name: Ident,
    ty: Type,
    doc: String,
    kind: Kind,
    flag: TokenStream,
    python: Option<LitStr>,
    search: TokenStream,
    optional: bool,
}

/// The attribute of a field, item by item.
#[derive(Default)]
struct Attribute {
    kind: Option<Kind>,
    flag: Option<TokenStream>,
    python: Option<LitStr>,
    search: Option<TokenStream>,
}

fn strings(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let inner;
    parenthesized!(inner in input);
    let list = Punctuated::<LitStr, Token![,]>::parse_terminated(&inner)?;
    Ok(list.into_iter().collect())
}

impl Attribute {
    fn item(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let word: Ident = input.parse()?;
        let number = |variant: &str| {
            let variant = Ident::new(variant, word.span());
            Some(Kind::Number(quote!(crate::learn::Range::#variant)))
        };
        let text = |input: ParseStream<'_>| -> syn::Result<LitStr> {
            input.parse::<Token![=]>()?;
            input.parse()
        };
        match word.to_string().as_str() {
            "positive" => self.kind = number("Positive"),
            "not_negative" => self.kind = number("NotNegative"),
            "share" => self.kind = number("Share"),
            "any" => self.kind = number("Any"),
            "count" => self.kind = Some(Kind::Count),
            "counts" => self.kind = Some(Kind::Counts),
            "switch" => self.kind = Some(Kind::Switch),
            "words" => self.kind = Some(Kind::Words(strings(input)?)),
            "kernel" => self.kind = Some(Kind::Kernel),
            "class_weights" => self.kind = Some(Kind::ClassWeights),
            "group" if input.peek(syn::token::Paren) => {
                self.kind = Some(Kind::Group(strings(input)?));
            }
            "group" => self.kind = Some(Kind::Group(Vec::new())),
            "skip" => self.kind = Some(Kind::Skip),
            "flag" => {
                let name = text(input)?;
                self.flag = Some(quote!(crate::learn::Flag::On(#name)));
            }
            "off" => {
                let name = text(input)?;
                self.flag = Some(quote!(crate::learn::Flag::Off(#name)));
            }
            "unlisted" => self.flag = Some(quote!(crate::learn::Flag::None)),
            "python" => self.python = Some(text(input)?),
            "search" => {
                let inner;
                parenthesized!(inner in input);
                let smoother: Ident = inner.parse()?;
                let smoother = match smoother.to_string().as_str() {
                    "larger" => quote!(true),
                    "smaller" => quote!(false),
                    _ => return Err(syn::Error::new(smoother.span(), "`larger` or `smaller`")),
                };
                let grid = if inner.is_empty() {
                    quote!(crate::learn::Grid::Fixed)
                } else {
                    inner.parse::<Token![,]>()?;
                    let grid: Expr = inner.parse()?;
                    quote!({ use crate::learn::Grid::*; #grid })
                };
                self.search = Some(quote!(Some(crate::learn::Search {
                    larger_is_smoother: #smoother, grid: #grid,
                })));
            }
            _ => return Err(syn::Error::new(word.span(), "no part of a setting")),
        }
        Ok(())
    }
}

impl Field {
    pub(crate) fn parse(field: &syn::Field) -> syn::Result<Self> {
        let name = field.ident.clone().expect("fields have names");
        let mut attribute = Attribute::default();
        let mut doc = Vec::new();
        for attr in &field.attrs {
            if attr.path().is_ident("doc") {
                if let Meta::NameValue(pair) = &attr.meta
                    && let Expr::Lit(literal) = &pair.value
                    && let Lit::Str(text) = &literal.lit
                {
                    doc.push(text.value().trim().to_owned());
                }
            } else if attr.path().is_ident("setting") {
                attr.parse_args_with(|input: ParseStream<'_>| {
                    while !input.is_empty() {
                        attribute.item(input)?;
                        if !input.is_empty() {
                            input.parse::<Token![,]>()?;
                        }
                    }
                    Ok(())
                })?;
            }
        }
        let Some(kind) = attribute.kind else {
            let message =
                "say what the setting holds: `#[setting(positive)]`, `#[setting(skip)]`, …";
            return Err(syn::Error::new_spanned(field, message));
        };
        // The first paragraph is for users; what follows it is for readers of the code.
        let paragraph = doc.split(String::is_empty).next().unwrap_or_default();
        let flag_name = name.to_string().replace('_', "-");
        Ok(Self {
            doc: paragraph.join(" ").trim_end_matches('.').to_owned(),
            optional: is_option(&field.ty),
            ty: field.ty.clone(),
            kind,
            flag: attribute
                .flag
                .unwrap_or_else(|| quote!(crate::learn::Flag::On(#flag_name))),
            python: attribute.python,
            search: attribute.search.unwrap_or_else(|| quote!(None)),
            name,
        })
    }

    /// Adds the setting to a list.
    pub(crate) fn list(&self) -> TokenStream {
        let ty = &self.ty;
        let kind = match &self.kind {
            Kind::Number(range) => quote!(crate::learn::Kind::Number(#range)),
            Kind::Count => quote!(crate::learn::Kind::Count),
            Kind::Counts => quote!(crate::learn::Kind::Counts),
            Kind::Switch => quote!(crate::learn::Kind::Switch),
            Kind::Words(words) => quote!(crate::learn::Kind::Word(&[#(#words),*])),
            Kind::Kernel => quote!(crate::learn::Kind::Kernel),
            Kind::ClassWeights => quote!(crate::learn::Kind::ClassWeights),
            Kind::Group(names) if names.is_empty() => {
                return quote!(list.extend(<#ty as crate::learn::Settings>::list()););
            }
            Kind::Group(names) => {
                return quote!(list.extend(
                    <#ty as crate::learn::Settings>::list()
                        .into_iter()
                        .filter(|s| [#(#names),*].contains(&s.name)),
                ););
            }
            Kind::Skip => return quote!(),
        };
        let name = self.name.to_string();
        let python = self
            .python
            .clone()
            .unwrap_or_else(|| LitStr::new(&name, self.name.span()));
        let (doc, flag, search, optional) = (&self.doc, &self.flag, &self.search, self.optional);
        quote! {
            list.push(crate::learn::Setting {
                name: #name,
                kind: #kind,
                doc: #doc,
                flag: #flag,
                python: #python,
                search: #search,
                optional: #optional,
                rivals: &[],
            });
        }
    }

    /// Takes a value, where the setting is this field or one of its group.
    pub(crate) fn set(&self) -> TokenStream {
        let (field, name) = (&self.name, self.name.to_string());
        match &self.kind {
            Kind::Skip => quote!(),
            Kind::Group(names) => {
                let named = allowed(names);
                quote! {
                    if #named {
                        if let Some(done) = crate::learn::Settings::set(&mut self.#field, name, value) {
                            return Some(done);
                        }
                    }
                }
            }
            _ => quote! {
                if name == #name {
                    return Some(crate::learn::read_value(name, value).map(|v| self.#field = v));
                }
            },
        }
    }

    /// Returns the value, where the setting is this field or one of its group.
    pub(crate) fn get(&self) -> TokenStream {
        let (field, name) = (&self.name, self.name.to_string());
        match &self.kind {
            Kind::Skip => quote!(),
            Kind::Group(names) => {
                let named = allowed(names);
                quote! {
                    if #named {
                        if let Some(value) = crate::learn::Settings::get(&self.#field, name) {
                            return Some(value);
                        }
                    }
                }
            }
            _ => quote! {
                if name == #name {
                    return Some(crate::learn::write_value(&self.#field));
                }
            },
        }
    }

    /// Checks the value against its range.
    pub(crate) fn check(&self) -> TokenStream {
        let (field, name) = (&self.name, self.name.to_string());
        let range = match &self.kind {
            Kind::Number(range) => range.clone(),
            Kind::Count => quote!(crate::learn::Range::Count),
            Kind::Counts => {
                return quote!(
                    crate::learn::Range::Count.check_all(#name, &self.#field, errors);
                );
            }
            Kind::Group(_) => return quote!(crate::learn::Settings::check(&self.#field, errors);),
            _ => return quote!(),
        };
        if self.optional {
            quote!(if let Some(value) = self.#field { #range.check(#name, value as f64, errors); })
        } else {
            quote!(#range.check(#name, self.#field as f64, errors);)
        }
    }

    /// The way to the kernel, where this is it.
    pub(crate) fn kernel(&self) -> Option<TokenStream> {
        let field = &self.name;
        matches!(self.kind, Kind::Kernel).then(|| {
            quote! {
                fn kernel(&self) -> Option<&crate::kernel::KernelSpec> {
                    Some(&self.#field)
                }

                fn kernel_mut(&mut self) -> Option<&mut crate::kernel::KernelSpec> {
                    Some(&mut self.#field)
                }
            }
        })
    }

    /// The way to the class weights, where these are they.
    pub(crate) fn class_weights(&self) -> Option<TokenStream> {
        let field = &self.name;
        matches!(self.kind, Kind::ClassWeights).then(|| {
            quote! {
                fn class_weights_mut(&mut self) -> Option<&mut crate::learn::ClassWeights> {
                    Some(&mut self.#field)
                }
            }
        })
    }

    /// A consuming setter.
    pub(crate) fn builder(&self) -> TokenStream {
        let (field, ty) = (&self.name, &self.ty);
        let mut start = self.doc.chars();
        let lowered: String = start
            .next()
            .map(|c| c.to_lowercase().chain(start).collect())
            .unwrap_or_default();
        let doc = format!("Sets `{field}`: {lowered}.");
        quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #field(mut self, #field: #ty) -> Self {
                self.#field = #field;
                self
            }
        }
    }
}

/// Whether a name is among those that a group shows.
fn allowed(names: &[LitStr]) -> TokenStream {
    if names.is_empty() {
        quote!(true)
    } else {
        quote!([#(#names),*].contains(&name))
    }
}

fn is_option(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|segment| segment.ident == "Option")
}
