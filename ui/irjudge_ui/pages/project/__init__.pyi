from .browse import (
    SearchRequest as SearchRequest,
)
from .collection import (
    CollectionView as CollectionView,
    TopicRequest as TopicRequest,
)
from .file_import import (
    ImportOptionsPanel as ImportOptionsPanel,
)
from .new_project import (
    ProjectRequest as ProjectRequest,
)
from .pool_form import (
    EstimatePreview as EstimatePreview,
    CostFunction as CostFunction,
)
from .runs import (
    RunRequest as RunRequest,
)
