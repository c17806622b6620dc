// The classes to which Foundation's values are bridged: Linux's Foundation doesn't export its CoreFoundation. Each value needs
// an `as`, as on Apple's platforms.

/// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = NSString

/// https://developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = NSData

/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = NSDictionary
