//! What stands before and after a number: currencies, percent signs and units.

/// Codes and abbreviations of currencies; signs such as `€` are told by their class.
const CURRENCIES: [&str; 52] = [
    "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP",
    "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "JPY", "KES", "KRW", "MAD", "MXN", "MYR",
    "NGN", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN", "RMB", "RON", "RUB", "SAR", "SEK", "SGD",
    "THB", "TRY", "TWD", "UAH", "USD", "VND", "ZAR", "Fr.", "kr", "Rs", "Rs.", "zł", "Kč",
];

/// Letters of the longest unit, such as `µg/m³` or `minutes`.
const LONGEST_UNIT: usize = 12;

/// Whether a text is a currency: a sign, a code, or both (`US$`).
pub(super) fn is_currency(text: &str) -> bool {
    if CURRENCIES.iter().any(|c| c.eq_ignore_ascii_case(text)) {
        return true;
    }
    let Some((last, sign)) = text.char_indices().next_back() else {
        return false;
    };
    is_sign(sign) && last <= 3 && text[..last].chars().all(|c| c.is_ascii_uppercase())
}

/// Signs of currencies.
fn is_sign(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '₠'..='⃏' | '฿' | '﷼')
}

/// Whether a text after a number is a percent sign, or one of its kin.
pub(super) fn is_percent(text: &str) -> bool {
    matches!(text, "%" | "‰" | "٪" | "％")
}

/// Whether a text after a number may be a unit.
pub(super) fn is_unit(text: &str) -> bool {
    let mut chars = text.chars();
    let starts = chars
        .next()
        .is_some_and(|c| c.is_alphabetic() || matches!(c, '°' | 'µ' | '"' | '\''));
    let goes_on = |c: char| {
        c.is_alphabetic() || matches!(c, '°' | 'µ' | '²' | '³' | '/' | '.' | '^' | '·' | '⁻' | '¹')
    };
    starts && chars.all(goes_on) && text.chars().count() <= LONGEST_UNIT
}

/// Takes a unit off the end; one and several may differ by an `s`.
pub(super) fn without_unit<'a>(text: &'a str, unit: &str) -> Option<&'a str> {
    if let Some(rest) = text.strip_suffix(unit) {
        return Some(rest);
    }
    if unit.len() < 2 {
        return None;
    }
    match unit.strip_suffix('s') {
        Some(one) => text.strip_suffix(one),
        None => text.strip_suffix('s')?.strip_suffix(unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affixes_are_told_apart() {
        for text in ["$", "€", "₹", "US$", "CHF", "eur", "R$"] {
            assert!(is_currency(text), "{text}");
        }
        for text in ["", "C", "Q", "v", "No.", "#", "us$"] {
            assert!(!is_currency(text), "{text}");
        }
        for text in ["kg", "°C", "m²", "km/h", "years", "\""] {
            assert!(is_unit(text), "{text}");
        }
        for text in ["", "-star", "kg 5", "2", "/kg"] {
            assert!(!is_unit(text), "{text}");
        }
        assert_eq!(without_unit("1 year", "years"), Some("1 "));
        assert_eq!(without_unit("2 years", "year"), Some("2 "));
        assert_eq!(without_unit("2 kg", "g"), Some("2 k"));
        assert_eq!(without_unit("2 lb", "kg"), None);
    }
}
