from .browse import (
    TopicRequest as TopicRequest,
)
from .collection import (
    CollectionView as CollectionView,
)
from .file_import import (
    DecidePanel as DecidePanel,
)
from .new_project import (
    ProjectRequest as ProjectRequest,
)
from .pool_form import (
    Preview as Preview,
    Reckon as Reckon,
)
