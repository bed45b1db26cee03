//! Encoders of version 1 as present ones.

use crate::data;
use crate::data::{ColumnEncoder, Tie};
use crate::model::v1::encoder::{Affine, Column, Encoder, Encoding, Missing, Network, Storage};
use crate::{Error, Result};

impl Encoder {
    pub(in crate::model::v1) fn into_encoder(self) -> Result<data::Encoder> {
        let columns = self.columns.into_iter().map(Column::into_column_encoder);
        data::Encoder::try_new(
            columns.collect::<Result<_>>()?,
            self.storage.into_storage(),
            self.dropped,
        )
    }
}

impl Column {
    fn into_column_encoder(self) -> Result<ColumnEncoder> {
        Ok(ColumnEncoder {
            name: self.name,
            constant: self.constant,
            range: None,
            encoding: self.encoding.into_encoding()?,
        })
    }
}

impl Encoding {
    fn into_encoding(self) -> Result<data::Encoding> {
        Ok(match self {
            Self::Numeric { map, fill, missing } => data::Encoding::Numeric {
                map: map.into_affine(),
                fill,
                missing: missing.into_missing(),
            },
            Self::Boolean {
                words,
                fill,
                missing,
            } => data::Encoding::Boolean {
                words,
                fill,
                missing: missing.into_missing(),
            },
            Self::Categorical {
                levels,
                fill,
                missing,
            } => data::Encoding::Categorical {
                levels,
                fill,
                missing: missing.into_missing(),
            },
            Self::Date {
                map,
                fill,
                missing,
                time_of_day,
                weekday,
                day_of_year,
            } => data::Encoding::Date {
                map: map.into_affine(),
                fill,
                missing: missing.into_missing(),
                time_of_day,
                weekday,
                day_of_year,
            },
            Self::Text => data::Encoding::Text,
            Self::Graph {
                molecule,
                vertices,
                edges,
            } => data::Encoding::Graph {
                molecule,
                vertices,
                edges,
            },
            Self::Node { network } => data::Encoding::Node {
                network: network.into_network()?,
            },
            Self::Vectors {
                width,
                storage,
                fill,
                shift,
                scale,
                offset,
            } => data::Encoding::Vectors {
                width,
                storage: storage.into_storage(),
                fill,
                shift,
                scale,
                offset,
            },
        })
    }
}

impl Affine {
    fn into_affine(self) -> data::Affine {
        data::Affine {
            shift: self.shift,
            scale: self.scale,
            offset: self.offset,
        }
    }
}

impl Missing {
    fn into_missing(self) -> data::Missing {
        match self {
            Self::Refuse => data::Missing::Refuse,
            Self::Unexpected => data::Missing::Unexpected,
            Self::Fill => data::Missing::Fill,
            Self::Flag => data::Missing::Flag,
        }
    }
}

impl Storage {
    fn into_storage(self) -> data::Storage {
        match self {
            Self::Dense => data::Storage::Dense,
            Self::Sparse => data::Storage::Sparse,
        }
    }
}

impl Network {
    fn into_network(self) -> Result<data::Network> {
        let ties = self.ties.iter().map(|tie| Tie {
            from: tie.from,
            to: tie.to,
            weight: tie.weight,
        });
        let ties: Vec<Tie> = ties.collect();
        // What it says is about the file, whoever reads it.
        data::Network::try_new(self.names, &ties).map_err(|e| Error::model(e.to_string()))
    }
}
