"""The sets, cheap ones first, and how many splits a dear peer is given on them.

Original files are listed with what has to be known of them: columns that only number the rows,
and columns whose numbers are names. A ``.types.csv`` file beside a table tells the latter too.
"""

import dataclasses

SPLITS = 20
FRESH_SPLITS = 5


@dataclasses.dataclass(frozen=True)
class Set:
    """Files of one set; several files are one table."""

    files: tuple
    classify: bool = True
    # Columns that number the rows, or know the target.
    dropped: tuple = ()
    # Columns whose numbers are names.
    nominal: tuple = ()
    # Splits for peers that would take hours for all of them.
    fewer: dict = dataclasses.field(default_factory=dict)
    # No rule of the automatic model was settled while looking at it.
    fresh: bool = False

    def splits(self, who):
        """Return how many splits a program is given."""
        return self.fewer.get(who, FRESH_SPLITS if self.fresh else SPLITS)


def numbers(*files, **more):
    return Set(files, classify=False, **more)


def confirmation(sets):
    """Return sets marked as fresh."""
    return {name: dataclasses.replace(chosen, fresh=True) for name, chosen in sets.items()}


SETS = {
    "wine": Set(("vector/wine.csv",)),
    "crabs": Set(("lssvm/crabs.csv",), dropped=("index",)),
    "sonar": Set(("vector/sonar.csv",)),
    # Chest pain, resting electrocardiogram and thallium test are names.
    "heart": Set(("libsvm/heart_scale",), nominal=("3", "7", "13")),
    "glass": Set(("vector/glass.csv",)),
    "ionosphere": Set(("vector/ionosphere.csv",)),
    "bupa": Set(("lssvm/bupa_liver.csv",)),
    "wdbc": Set(("vector/breast_cancer_wdbc.csv",)),
    "pima": Set(("vector/pima_diabetes.csv",)),
    "australian": Set(("mixed/credit_a.csv",)),
    "vehicle": Set(("vector/vehicle.csv",)),
    "german": Set(("mixed/credit_g.csv",)),
    # Both of Ripley's files are one set, so that its splits are like the others.
    "ripley": Set(("lssvm/ripley_synth_train.csv", "lssvm/ripley_synth_test.csv")),
    "titanic": Set(("lssvm/titanic_raetsch.csv",)),
    "spambase": Set(("vector/spambase.csv",)),
    "yacht": numbers("regression/yacht.csv"),
    "auto-mpg": numbers("regression/auto_mpg.csv"),
    "diabetes": numbers("regression/diabetes_efron.csv"),
    "boston": numbers("regression/boston_housing.csv"),
    "concrete": numbers("regression/concrete.csv"),
    "airfoil": numbers("regression/airfoil.csv"),
    "abalone": numbers("regression/abalone.csv", fewer={"grid_svr": 5, "gpr": 5}),
    "kin8nm": numbers("regression/kin8nm.csv.gz", fewer={"grid_svr": 1, "gpr": 1}),
    "power-plant": numbers("regression/power_plant.csv", fewer={"grid_svr": 1, "gpr": 1}),
}

SETS |= confirmation(
    {
        "zoo": Set(("vector/zoo.csv",)),
        "iris": Set(("vector/iris.csv",)),
        "hepatitis": Set(("mixed/hepatitis.csv",)),
        "new-thyroid": Set(("lssvm/new_thyroid.csv",)),
        # Most of its patients are in the set `heart` too.
        "heart-c": Set(("mixed/heart_c.csv",)),
        "vote": Set(("mixed/vote.csv",)),
        "balance-scale": Set(("lssvm/balance_scale.csv",)),
        "wisconsin": Set(("vector/breast_cancer_wisconsin_orig.csv",), dropped=("Id",)),
        "tic-tac-toe": Set(("mixed/tic_tac_toe.csv",)),
        "cmc": Set(("lssvm/cmc.csv",), fewer={"grid_svc": 2}),
        "mcycle": numbers("regression/mcycle.csv"),
        # `estperf` is somebody's estimate of the target.
        "cpus": numbers("regression/cpus.csv", dropped=("name", "estperf")),
        "energy-heating": numbers("regression/energy_heating.csv"),
        "wine-quality": numbers(
            "regression/wine_quality_red.csv", fewer={"grid_svr": 2, "gpr": 2}
        ),
    }
)
