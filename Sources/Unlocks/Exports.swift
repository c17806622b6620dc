// The catalog is a separate module, because the command reads it without the network code. An app sees one library.
@_exported public import UnlockCatalog
