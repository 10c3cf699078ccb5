# SPDX-License-Identifier: Zlib
"""numpy, which is imported when the first array is made: it takes several times as long as all of teemap."""
from typing import TYPE_CHECKING, Any

from ._core import importing

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:
    class Numpy:
        def __getattr__(self, name: str) -> Any:
            with importing:  # so that no process is forked meanwhile
                import numpy
            setattr(self, name, getattr(numpy, name))
            return getattr(numpy, name)

    np = Numpy()
