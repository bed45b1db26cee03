//! Feature maps as tensors and back.

use serde::{Deserialize, Serialize};

use super::Tensors;
use super::records_parts::{
    RecordsShape, from_tensors as records_from_tensors, to_tensors as records_to_tensors,
};
use crate::data::Encoder;
use crate::features::{
    FeatureMap, FourierMap, Frequencies, LandmarkMap, SketchMap, Structured, Whitening,
};
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// What a map needs to be told beside its tensors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MapShape {
    kernel: String,
    #[serde(flatten)]
    kind: MapKind,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "map", rename_all = "snake_case")]
enum MapKind {
    Fourier {
        structured: bool,
        offsets: bool,
        amplitude: f64,
    },
    Landmarks {
        landmarks: RecordsShape,
        rows: bool,
        whitening: Option<WhiteningShape>,
    },
    Sketch {
        constant: f64,
        width: usize,
        amplitude: f64,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct WhiteningShape {
    rank: usize,
    largest: f64,
    floor: f64,
}

/// Puts the arrays of a map into tensors whose names begin with `prefix`, and returns the rest.
pub(crate) fn to_tensors(map: &FeatureMap, prefix: &str, out: &mut Tensors) -> MapShape {
    let name = |part: &str| format!("{prefix}.{part}");
    let kind = match map {
        FeatureMap::Fourier(map) => {
            out.add_f64(&name("shift"), map.shift.clone());
            out.add_f64(&name("units"), map.units.clone());
            match &map.frequencies {
                Frequencies::Dense(rows) => out.add_matrix(&name("frequencies"), rows),
                Frequencies::Structured(own) => {
                    out.add_matrix(&name("signs"), &own.signs);
                    out.add_f64(&name("lengths"), own.lengths.clone());
                }
            }
            if let Some(offsets) = &map.offsets {
                out.add_f64(&name("offsets"), offsets.clone());
            }
            MapKind::Fourier {
                structured: matches!(map.frequencies, Frequencies::Structured(_)),
                offsets: map.offsets.is_some(),
                amplitude: map.amplitude,
            }
        }
        FeatureMap::Landmarks(map) => {
            if let Some(rows) = &map.rows {
                out.add_u64(&name("rows"), rows.iter().map(|&row| row as u64).collect());
            }
            let whitening = map.whitening.as_ref().map(|whitening| {
                out.add_matrix(&name("whitening"), &whitening.transform);
                WhiteningShape {
                    rank: whitening.rank,
                    largest: whitening.largest,
                    floor: whitening.floor,
                }
            });
            MapKind::Landmarks {
                landmarks: records_to_tensors(&map.landmarks, &name("landmarks"), out),
                rows: map.rows.is_some(),
                whitening,
            }
        }
        FeatureMap::Sketch(map) => {
            out.add_f64(&name("units"), map.units.clone());
            out.add_matrix(&name("places"), &map.places);
            MapKind::Sketch {
                constant: map.constant,
                width: map.width,
                amplitude: map.amplitude,
            }
        }
    };
    MapShape {
        kernel: map.kernel().to_string(),
        kind,
    }
}

/// Takes the arrays of a map back and checks that they fit together.
pub(crate) fn from_tensors(
    shape: &MapShape,
    encoder: &Encoder,
    prefix: &str,
    tensors: &mut Tensors,
) -> Result<FeatureMap> {
    /// More features than a row could have.
    const MOST: usize = 1 << 28;
    let name = |part: &str| format!("{prefix}.{part}");
    let kernel = shape
        .kernel
        .parse::<ResolvedKernel>()
        .map_err(|e| Error::model(format!("kernel: {e}")))?;
    let map: FeatureMap = match &shape.kind {
        MapKind::Fourier {
            structured,
            offsets,
            amplitude,
        } => {
            let frequencies = if *structured {
                Frequencies::Structured(Structured {
                    signs: tensors.take_matrix(&name("signs"))?,
                    lengths: tensors.take_f64(&name("lengths"))?,
                })
            } else {
                Frequencies::Dense(tensors.take_matrix(&name("frequencies"))?)
            };
            let offsets = offsets.then(|| tensors.take_f64(&name("offsets")));
            FourierMap {
                kernel,
                shift: tensors.take_f64(&name("shift"))?,
                units: tensors.take_f64(&name("units"))?,
                frequencies,
                offsets: offsets.transpose()?,
                amplitude: *amplitude,
            }
            .into()
        }
        MapKind::Landmarks {
            landmarks,
            rows,
            whitening,
        } => {
            let rows = rows.then(|| tensors.take_u64(&name("rows"))).transpose()?;
            let rows = rows.map(|rows| {
                let row = |row: u64| usize::try_from(row).map_err(|_| too_large("row number"));
                rows.into_iter().map(row).collect::<Result<Vec<_>>>()
            });
            let whitening = whitening.as_ref().map(|shape| {
                Ok::<_, Error>(Whitening {
                    transform: tensors.take_matrix(&name("whitening"))?,
                    rank: shape.rank,
                    largest: shape.largest,
                    floor: shape.floor,
                })
            });
            let whitening = whitening.transpose()?;
            LandmarkMap {
                kernel,
                landmarks: records_from_tensors(landmarks, encoder, &name("landmarks"), tensors)?,
                rows: rows.transpose()?,
                whitening,
            }
            .into()
        }
        MapKind::Sketch {
            constant,
            width,
            amplitude,
        } => {
            if *width > MOST {
                return Err(too_large("number of features"));
            }
            SketchMap {
                kernel,
                units: tensors.take_f64(&name("units"))?,
                constant: *constant,
                places: tensors.take_matrix(&name("places"))?,
                width: *width,
                amplitude: *amplitude,
            }
            .into()
        }
    };
    map.check()?;
    Ok(map)
}

fn too_large(what: &str) -> Error {
    Error::model(format!("a {what} is too large"))
}
