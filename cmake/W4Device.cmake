# Device code objects.
