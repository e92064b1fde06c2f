// the store brings a native module, which is not bundled
export default { serverExternalPackages: ['throughline'] }
