"""Steps of a pipeline as part of one model: what they do to columns becomes its encoder.

Every feature that reaches the estimator is traced back to the column it was made of. A number may
have been shifted and scaled, (x - shift)/scale + offset, and filled in where it was missing; a
category may have become one feature per level. That is what the encoder of a model file can
say. Whatever else a step does is refused by its name.
"""

import json
from dataclasses import dataclass, replace

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectorMixin
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.utils.validation import check_is_fitted

from ._frame import is_missing
from ._label_text import label_text

STORED = (
    "StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, SimpleImputer, OneHotEncoder, "
    "selections of columns, and ColumnTransformers of these can be stored"
)


@dataclass(frozen=True)
class Source:
    """What one column has become: a number, or one feature per level."""

    name: str
    shift: float = 0.0
    scale: float = 1.0
    offset: float = 0.0
    fill: object = None
    """What stands for a missing value, in the units of the column."""
    levels: tuple | None = None

    @property
    def width(self):
        """The number of features."""
        return 1 if self.levels is None else len(self.levels)

    @property
    def is_untouched(self):
        """Whether the feature is the column itself."""
        return replace(self, fill=None) == Source(self.name)

    def standardised(self, shift, scale):
        """Return the feature less ``shift``, divided by ``scale``."""
        if self.offset == 0 and self.shift == 0 and self.scale == 1:
            return replace(self, shift=float(shift), scale=float(scale))
        return replace(
            self,
            scale=float(self.scale * scale),
            offset=float((self.offset - shift) / scale),
        )

    def mapped(self, factor, constant):
        """Return the feature times ``factor``, plus ``constant``."""
        return replace(
            self,
            scale=float(self.scale / factor),
            offset=float(self.offset * factor + constant),
        )

    def before(self, value):
        """Return the value of the column from that of the feature."""
        return float((value - self.offset) * self.scale + self.shift)


def is_pipeline(machine):
    """Tell whether an estimator is a pipeline of scikit-learn."""
    return isinstance(machine, Pipeline)


def last_step(pipeline):
    """Return the estimator at the end of a pipeline, which must be fitted."""
    check_is_fitted(pipeline)
    return pipeline.steps[-1][1]


def input_names(pipeline):
    """Return names of the columns that a pipeline takes, and whether rows had them."""
    names = getattr(pipeline, "feature_names_in_", None)
    if names is not None:
        return [str(name) for name in names], True
    return [f"x{j}" for j in range(pipeline.n_features_in_)], False


def folded(pipeline, model):
    """Return the model of the last step on the columns that the first step takes."""
    names, _ = input_names(pipeline)
    sources = [Source(name) for name in names]
    for name, step in pipeline.steps[:-1]:
        sources = _through(name, step, sources)
    encoder = _encoder(sources, json.loads(model.encoder), pipeline.steps[-1][1])
    return model.with_encoder(json.dumps(encoder))


def named(model, names):
    """Return a model of bare vectors as one of columns with names."""
    sources = [Source(name) for name in names]
    return model.with_encoder(json.dumps(_encoder(sources, json.loads(model.encoder), None)))


# -- steps -------------------------------------------------------------------------------------


def _through(name, step, sources):
    """Return what columns are after a step."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return sources
    if isinstance(step, Pipeline):
        for inner, part in step.steps:
            sources = _through(f"{name}: {inner}", part, sources)
        return sources
    if isinstance(step, ColumnTransformer):
        return _through_columns(name, step, sources)
    if isinstance(step, SelectorMixin):
        return _selected(name, step, sources)
    through = THROUGH.get(type(step))
    if through is None:
        raise _refused(name, step, "a model file cannot say what it does to columns")
    return through(name, step, sources)


def _through_columns(name, step, sources):
    known = [source.name for source in sources]
    made = []
    for inner, part, columns in step.transformers_:
        if isinstance(part, str) and part == "drop":
            continue
        own = [sources[place] for place in _places(columns, known)]
        if own:
            made += _through(f"{name}: {inner}", part, own)
    return made


def _places(columns, names):
    """Return the positions of columns that a ColumnTransformer names in one of its ways."""
    if isinstance(columns, slice):
        ends = [names.index(e) if isinstance(e, str) else e for e in (columns.start, columns.stop)]
        if isinstance(columns.stop, str):
            # Slices of names hold their end.
            ends[1] += 1
        return list(range(len(names))[slice(*ends, columns.step)])
    if isinstance(columns, (str, int, np.integer)):
        columns = [columns]
    columns = list(columns)
    if columns and all(isinstance(c, (bool, np.bool_)) for c in columns):
        return [place for place, taken in enumerate(columns) if taken]
    places = [names.index(c) if isinstance(c, str) else int(c) for c in columns]
    return [place % len(names) for place in places]


def _selected(name, step, sources):
    _only_numbers(name, step, sources)
    mask = step.get_support()
    return [source for source, kept in zip(sources, mask, strict=True) if kept]


def _standardised(name, step, sources):
    _only_numbers(name, step, sources)
    count = len(sources)
    centre = step.center_ if isinstance(step, RobustScaler) else getattr(step, "mean_", None)
    if not getattr(step, "with_mean", True) or not getattr(step, "with_centering", True):
        centre = None
    shifts = np.zeros(count) if centre is None else centre
    scales = np.ones(count) if step.scale_ is None else step.scale_
    parts = zip(sources, shifts, scales, strict=True)
    return [source.standardised(shift, scale) for source, shift, scale in parts]


def _ranged(name, step, sources):
    _only_numbers(name, step, sources)
    if getattr(step, "clip", False):
        raise _refused(name, step, "it cuts values at the ends of the range (`clip=True`)")
    if isinstance(step, MaxAbsScaler):
        return [s.standardised(0.0, scale) for s, scale in zip(sources, step.scale_, strict=True)]
    parts = zip(sources, step.scale_, step.min_, strict=True)
    return [source.mapped(factor, constant) for source, factor, constant in parts]


def _imputed(name, step, sources):
    if step.add_indicator:
        raise _refused(name, step, "it adds columns that mark what was missing (`add_indicator`)")
    if not is_missing(step.missing_values):
        raise _refused(name, step, f"it takes {step.missing_values!r} for missing")
    made = []
    for source, value in zip(sources, step.statistics_, strict=True):
        if is_missing(value):
            if step.keep_empty_features:
                raise _refused(name, step, f"column `{source.name}` had no value at all")
            continue
        if source.levels is None and source.fill is None:
            number = not isinstance(value, str)
            source = replace(source, fill=source.before(value) if number else value)
        made.append(source)
    return made


def _one_hot(name, step, sources):
    if step.drop_idx_ is not None and any(place is not None for place in step.drop_idx_):
        raise _refused(name, step, f"it drops categories (`drop={step.drop!r}`)")
    rare = getattr(step, "_infrequent_enabled", False)
    if rare and any(group is not None for group in step.infrequent_categories_):
        raise _refused(name, step, "it joins rare categories")
    made = []
    for source, levels in zip(sources, step.categories_, strict=True):
        if not source.is_untouched:
            raise _refused(name, step, f"column `{source.name}` was changed before")
        if any(map(is_missing, levels)):
            why = f"it has a category for missing values in column `{source.name}`"
            raise _refused(name, step, f"{why}: fill them in first, with SimpleImputer")
        made.append(replace(source, levels=tuple(label_text(level) for level in levels)))
    return made


def _unchanged(name, step, sources):
    if step.func is not None:
        raise _refused(name, step, "it calls a Python function")
    return sources


THROUGH = {
    StandardScaler: _standardised,
    RobustScaler: _standardised,
    MinMaxScaler: _ranged,
    MaxAbsScaler: _ranged,
    SimpleImputer: _imputed,
    OneHotEncoder: _one_hot,
    FunctionTransformer: _unchanged,
}


def _only_numbers(name, step, sources):
    for source in sources:
        if source.levels is not None:
            raise _refused(
                name, step, f"it follows the one-hot encoding of column `{source.name}`"
            )


def _refused(name, step, why):
    return ValueError(
        f"step `{name}` ({type(step).__name__}) cannot be stored with the model: {why}; {STORED}. "
        "Leave the step out, or pickle the pipeline"
    )


# -- the encoder ---------------------------------------------------------------------------------


def _encoder(sources, own, machine):
    """Return the encoder of a model file: what steps did, then what the estimator does itself."""
    columns = own["columns"]
    if len(columns) == 1 and columns[0]["kind"] == "vectors":
        made = _of_vectors(sources, columns[0], machine)
    else:
        made = _of_columns(sources, columns, machine)
    names = [column["name"] for column in made]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(
            f"column `{twice}` goes into the model in two ways, and a model file has one for each "
            "column; give it to one step alone, or pickle the pipeline"
        )
    return {"columns": made, "storage": own["storage"]}


def _of_vectors(sources, vectors, machine):
    width = sum(source.width for source in sources)
    if width != vectors["width"]:
        raise ValueError(
            f"the steps make {width} features, and the estimator has learnt from {vectors['width']}"
        )
    shifts = vectors.get("shift") or [0.0] * width
    scales = vectors.get("scale") or [1.0] * width
    fills = vectors.get("fill")
    made, place = [], 0
    for source in sources:
        end = place + source.width
        if source.levels is None:
            shift, scale, offset = shifts[place], scales[place], vectors["offset"]
            missing, fill = ("fill", fills[place]) if fills else ("refuse", None)
            made.append(_number(source, (shift, scale, offset), missing, fill))
        else:
            parts = zip(shifts[place:end], scales[place:end], strict=True)
            if vectors["offset"] != 0 or any(part != (0.0, 1.0) for part in parts):
                raise _scales_levels(source, machine)
            made.append(_category(source))
        place = end
    return made


def _of_columns(sources, columns, machine):
    """Put steps before an encoder of columns, each made of one feature of the steps."""
    features = [(source, part) for source in sources for part in range(source.width)]
    given = [str(name) for name in _given(machine, columns)]
    made = []
    for column in columns:
        source, part = features[given.index(column["name"])]
        if source.levels is not None:
            if column["kind"] != "numeric" or not _is_identity(column["map"]):
                raise _scales_levels(source, machine)
            if part == 0:
                made.append(_category(source))
        elif column["kind"] == "numeric":
            parts = (column["map"]["shift"], column["map"]["scale"], column["map"]["offset"])
            number = _number(source, parts, column["missing"], column["fill"])
            made.append({**number, **({"constant": True} if column.get("constant") else {})})
        else:
            made.append(_kept(source, column))
    return made


def _given(machine, columns):
    """Return the names of what the steps make, as the estimator got them."""
    names = machine.__dict__.get("_names")
    names = getattr(machine, "feature_names_in_", None) if names is None else names
    return [column["name"] for column in columns] if names is None else names


def _number(source, then, missing, fill):
    shift, scale, offset = then
    whole = source if then == (0.0, 1.0, 0.0) else source.standardised(shift, scale)
    whole = whole if offset == 0 else whole.mapped(1.0, offset)
    if source.fill is not None:
        missing, fill = "fill", float(source.fill)
    elif missing == "refuse" or fill is None:
        fill = 0.0
    else:
        fill = source.before(fill)
    affine = {"shift": whole.shift, "scale": whole.scale, "offset": whole.offset}
    return {
        "name": source.name,
        "kind": "numeric",
        "map": affine,
        "fill": fill,
        "missing": missing,
    }


def _category(source):
    levels = list(source.levels)
    if source.fill is None:
        fill, missing = 0, "refuse"
    else:
        fill, missing = levels.index(label_text(source.fill)), "fill"
    return {
        "name": source.name,
        "kind": "categorical",
        "levels": levels,
        "fill": fill,
        "missing": missing,
    }


def _kept(source, column):
    """A column that is no number and that the estimator encodes itself."""
    if not source.is_untouched:
        raise ValueError(
            f"column `{source.name}` is changed by a step and then encoded by the estimator; "
            "pickle the pipeline"
        )
    column = {**column, "name": source.name}
    if source.fill is not None:
        if column["kind"] != "categorical":
            raise ValueError(
                f"column `{source.name}` is filled in by a step and is not one of numbers or "
                "categories; pickle the pipeline"
            )
        column["fill"] = column["levels"].index(label_text(source.fill))
        column["missing"] = "fill"
    return column


def _is_identity(affine):
    return (affine["shift"], affine["scale"], affine["offset"]) == (0.0, 1.0, 0.0)


def _scales_levels(source, machine):
    return ValueError(
        f"column `{source.name}` is one-hot encoded by a step and then standardised by "
        f"{type(machine).__name__}; leave out the OneHotEncoder, because "
        f"{type(machine).__name__} encodes categories itself, give it `scale=\"none\"`, or "
        "pickle the pipeline"
    )
