# SPDX-License-Identifier: Zlib
"""numpy, which is imported when the first array is made: it takes several times as long as all of teemap."""
from typing import TYPE_CHECKING, Any

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:
    class Numpy:
        def __getattr__(self, name: str) -> Any:
            import numpy
            setattr(self, name, getattr(numpy, name))
            return getattr(numpy, name)

    np = Numpy()
