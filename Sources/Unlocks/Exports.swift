// The catalog is a module of its own, because the command reads it without the network. An app sees one library.
@_exported public import UnlockCatalog
