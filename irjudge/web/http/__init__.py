"""How a session speaks HTTP: where it listens, who may connect and how often, and what every answer says beside itself."""
