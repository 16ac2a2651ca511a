from .browse import (
    RunRequest as RunRequest,
    SearchRequest as SearchRequest,
    TopicRequest as TopicRequest,
)
from .collection import (
    CollectionView as CollectionView,
)
from .file_import import (
    ImportOptionsPanel as ImportOptionsPanel,
)
from .new_project import (
    ProjectRequest as ProjectRequest,
)
from .pool_form import (
    EstimatePreview as EstimatePreview,
    Reckon as Reckon,
)
