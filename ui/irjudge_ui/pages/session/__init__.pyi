from .controller import (
    SessionController as SessionController,
    close_controller as close_controller,
    controller_of as controller_of,
)
