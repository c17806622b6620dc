// As if bridged. Linux's Foundation doesn't export its CoreFoundation.

/// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String

/// https://developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = Data

/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = NSDictionary
