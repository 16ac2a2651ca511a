"""The commands about those who judge: agreement, consensus, audit."""
