import UnlockCatalog

/// The command's work on each catalog, apart from reading it.
struct CatalogChecks {
    private static let write = Flag("--write-files", "writes these lengths and digests into the catalogs")

    static let usage =
        Usage.optional(ItemFileFolder.option, write) + SignatureFile.usage

    /// The app and user for whom offers are shown.
    let context: ShopContext?
    let folder: ItemFileFolder?
    /// Whether the lengths and digests of the files are written into the catalog.
    let writesFiles: Bool
    let signature: SignatureFile?

    init(_ arguments: Arguments, for context: ShopContext?) throws(ToolError) {
        self.context = context
        writesFiles = arguments.contains(Self.write)
        if writesFiles {
            guard arguments.contains(ItemFileFolder.option) else {
                throw .usage("--write-files requires --files FOLDER")
            }
            try CatalogReport.requireFiles(in: arguments, for: Self.write)
        }
        signature = try SignatureFile(arguments)
        if writesFiles, case .check = signature {
            throw .usage("give either --verify or --write-files, which changes the catalog; --sign signs the new one")
        }
        folder = try arguments.value(of: ItemFileFolder.option).map { path throws(ToolError) in try ItemFileFolder(path)
        }
    }
}
