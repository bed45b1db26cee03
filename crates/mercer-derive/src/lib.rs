//! `#[derive(Settings)]`: a method's settings, told by the struct that holds them.
//!
//! The fields of a parameter struct, their types, doc comments and default values are the one truth
//! about a method's settings. The derive makes `mercer::learn::Settings` of them (what there is, how
//! it is read, set and checked) and a consuming setter for every field. An attribute adds what a
//! type cannot say:
//!
//! | `#[setting(…)]` | meaning |
//! |---|---|
//! | `positive`, `not_negative`, `share`, `any` | a number, with its range |
//! | `count` | a whole number of at least 1 |
//! | `counts` | a list of such numbers |
//! | `switch` | on or off |
//! | `words("a", "b")` | one of these words |
//! | `kernel`, `class_weights` | an expression; factors by class |
//! | `group` | a type that has settings of its own |
//! | `group("a", "b")` | of these only the ones named |
//! | `skip` | not for users |
//! | `flag = "name"`, `off = "name"`, `unlisted` | the flag, one that switches off, or none |
//! | `python = "name"` | the parameter of Python classes |
//! | `search(larger)`, `search(smaller, Log(1e-5, 1e2, 8))` | a search may vary it: which end is smoother, and the values that are tried by default, a `Grid` |
//!
//! A field of type `Option` may be left open.

mod field;

use proc_macro::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, parse_macro_input};

use field::Field;

/// Derives the settings of a parameter struct.
#[proc_macro_derive(Settings, attributes(setting))]
pub fn derive_settings(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            input,
            "settings are the fields of a struct",
        ));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(input, "settings need names"));
    };
    let fields: Vec<Field> = fields
        .named
        .iter()
        .map(Field::parse)
        .collect::<syn::Result<_>>()?;
    let name = &input.ident;
    let lists = fields.iter().map(Field::list);
    let setters = fields.iter().map(Field::set);
    let getters = fields.iter().map(Field::get);
    let checks = fields.iter().map(Field::check);
    let kernel = fields.iter().filter_map(Field::kernel);
    let class_weights = fields.iter().filter_map(Field::class_weights);
    let builders = fields.iter().map(Field::builder);
    Ok(quote! {
        impl crate::learn::Settings for #name {
            fn list() -> Vec<crate::learn::Setting> {
                let mut list = Vec::new();
                #(#lists)*
                list
            }

            fn set(&mut self, name: &str, value: &serde_json::Value) -> Option<crate::Result<()>> {
                #(#setters)*
                None
            }

            fn get(&self, name: &str) -> Option<serde_json::Value> {
                #(#getters)*
                None
            }

            fn check(&self, errors: &mut Vec<crate::Error>) {
                #(#checks)*
            }

            #(#kernel)*

            #(#class_weights)*
        }

        impl #name {
            #(#builders)*
        }
    })
}
