"""The steps of :mod:`mercer.state` on Ray.

Examples
--------
>>> from mercer import state
>>> from mercer.ray import RayExecutor  # doctest: +SKIP
>>> parts = [ray.put((X, y)) for X, y in blocks]  # doctest: +SKIP
>>> model = state.fit(parts, RayExecutor(), n_components=500)  # doctest: +SKIP
"""

try:
    import ray
except ImportError as error:
    raise ImportError("mercer.ray needs Ray, which is not installed: pip install ray") from error

__all__ = ["RayExecutor"]


class RayExecutor:
    """Runs functions as tasks of Ray, with the ``map`` of :class:`concurrent.futures.Executor`.

    Parts that are references of Ray are resolved where a task runs. What all calls share is put into the object store once.
    """

    def __init__(self, **options):
        self._options = options

    def map(self, function, *iterables):
        """Yield what the function returns for every set of arguments, in their order."""
        remote = ray.remote(function)
        remote = remote.options(**self._options) if self._options else remote
        shared = {}

        def lent(value):
            if not isinstance(value, bytes):
                return value
            if id(value) not in shared:
                shared[id(value)] = ray.put(value)
            return shared[id(value)]

        calls = [tuple(map(lent, values)) for values in zip(*iterables, strict=True)]
        references = [remote.remote(*values) for values in calls]
        return (ray.get(reference) for reference in references)
