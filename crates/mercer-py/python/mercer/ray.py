"""The steps of :mod:`mercer.state` on Ray.

``state.fit(parts, RayExecutor(), n_components=500)`` learns from parts that are references of Ray, such as ``ray.put((X, y))``, or
functions that read one.
"""

__all__ = ["RayExecutor"]


class RayExecutor:
    """Runs functions as tasks of Ray, with the ``map`` of :class:`concurrent.futures.Executor`.

    References of Ray are resolved where a task runs. What all calls share is put into the object store once. Ray itself
    starts tasks of lost nodes again.

    Parameters
    ----------
    **options
        As those of a remote function of Ray: ``num_cpus``, ``max_retries``, …
    """

    def __init__(self, **options):
        try:
            import ray
        except ImportError as error:
            raise ImportError(
                "mercer.ray needs Ray, which is not installed: pip install ray"
            ) from error
        self._ray = ray
        self._options = options

    def map(self, function, *iterables):
        """Return what the function gives for every set of arguments, in their order."""
        ray = self._ray
        remote = ray.remote(function)
        if self._options:
            remote = remote.options(**self._options)
        shared = {}

        def lent(value):
            if not isinstance(value, bytes):
                return value
            if id(value) not in shared:
                shared[id(value)] = ray.put(value)
            return shared[id(value)]

        calls = [tuple(map(lent, values)) for values in zip(*iterables, strict=True)]
        return ray.get([remote.remote(*values) for values in calls])
