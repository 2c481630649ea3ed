//! A drawing in a few colours on one background.

use ab_glyph::{Font, PxScale, ScaleFont, point};

use super::font::Weight;

/// Steps from the background to a colour, for smooth edges.
const LEVELS: usize = 16;
const BACKGROUND: [u8; 3] = [0xf6, 0xf5, 0xf1];

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Ink,
    Faint,
    Line,
    Accent,
}

impl Colour {
    const ALL: [Self; 4] = [Self::Ink, Self::Faint, Self::Line, Self::Accent];

    const fn rgb(self) -> [u8; 3] {
        match self {
            Self::Ink => [0x1b, 0x1c, 0x1a],
            Self::Faint => [0x5f, 0x5c, 0x55],
            Self::Line => [0xc9, 0xc4, 0xb8],
            Self::Accent => [0x17, 0x69, 0x4a],
        }
    }

    /// The first of its entries in the palette.
    const fn entry(self) -> u8 {
        self as u8 * LEVELS as u8
    }
}

/// A text and where it begins, in pixels from the left and, to its baseline, from the top.
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) left: f32,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) colour: Colour,
}

/// A rectangle in pixels.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// A drawing. Each pixel is an entry of the [palette].
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<u8>,
}

/// The colours of the entries: from each colour the steps to it from the background.
pub(super) fn palette() -> Vec<[u8; 3]> {
    let entry = |colour: Colour, level: usize| {
        let channel = |index: usize| {
            let (from, to) = (f32::from(BACKGROUND[index]), f32::from(colour.rgb()[index]));
            (from + (to - from) * level as f32 / (LEVELS - 1) as f32).round() as u8
        };
        [channel(0), channel(1), channel(2)]
    };
    let entries = |colour| (0..LEVELS).map(move |level| entry(colour, level));
    Colour::ALL.into_iter().flat_map(entries).collect()
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![0; width * height] }
    }

    pub(super) fn fill(&mut self, area: Area, colour: Colour) {
        let right = (area.left + area.width).min(self.width);
        let rows = area.top..(area.top + area.height).min(self.height);
        for row in rows {
            let row = row * self.width;
            self.pixels[row + area.left.min(right)..row + right]
                .fill(colour.entry() + LEVELS as u8 - 1);
        }
    }

    /// Draws a text. Letters that the font lacks are left out.
    pub(super) fn draw(&mut self, text: &Text<'_>) {
        let scale = PxScale::from(text.size);
        let font = text.weight.font().as_scaled(scale);
        let mut left = text.left;
        for letter in text.text.chars() {
            let id = font.glyph_id(letter);
            let glyph = id.with_scale_and_position(scale, point(left, text.baseline));
            left += font.h_advance(id);
            if id.0 == 0 {
                continue;
            }
            if let Some(outline) = text.weight.font().outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                let (x, y) = (bounds.min.x as i32, bounds.min.y as i32);
                outline.draw(|dx, dy, cover| {
                    self.blend(x + dx as i32, y + dy as i32, text.colour, cover);
                });
            }
        }
    }

    /// Covers a part of a pixel.
    fn blend(&mut self, x: i32, y: i32, colour: Colour, cover: f32) {
        let level = (cover.clamp(0.0, 1.0) * (LEVELS - 1) as f32).round() as u8;
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if level > 0 && x < self.width && y < self.height {
            let pixel = &mut self.pixels[y * self.width + x];
            *pixel = (*pixel).max(colour.entry() + level);
        }
    }
}
