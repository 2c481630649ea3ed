//! The font of the previews.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

/// A weight of the font.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

const WHY: &str = "the font is part of the program";
static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../assets/fonts/NotoSans-Regular.ttf")).expect(WHY)
});
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../assets/fonts/NotoSans-Bold.ttf")).expect(WHY)
});

impl Weight {
    pub(super) fn font(self) -> &'static FontRef<'static> {
        match self {
            Self::Regular => &REGULAR,
            Self::Bold => &BOLD,
        }
    }

    /// The width of a text in pixels.
    pub(super) fn width(self, size: f32, text: &str) -> f32 {
        let font = self.font().as_scaled(PxScale::from(size));
        text.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum()
    }

    /// The beginning of a text that is not wider than `most` pixels.
    pub(super) fn fitted(self, size: f32, text: &str, most: f32) -> String {
        if self.width(size, text) <= most {
            return text.to_owned();
        }
        let mut letters: Vec<char> = text.chars().collect();
        loop {
            letters.pop();
            let shown: String = letters.iter().chain(&['…']).collect();
            if letters.is_empty() || self.width(size, &shown) <= most {
                return shown;
            }
        }
    }
}

/// Whether the font has all letters of a text: those of Latin, Greek and Cyrillic.
pub(super) fn has_letters(text: &str) -> bool {
    text.chars().all(|letter| REGULAR.glyph_id(letter).0 != 0)
}
