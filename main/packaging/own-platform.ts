import { type AfterPackContext, Arch } from 'electron-builder';

/**
 * Called before a package is built. A package for another system or processor would be built silently, but not start: native
 * modules are installed for this one only.
 */
export default function ownPlatform({ electronPlatformName, arch }: AfterPackContext): void {
  const [asked, own] = [`${electronPlatformName} ${Arch[arch]}`, `${process.platform} ${process.arch}`];
  if (asked !== own) throw new Error(`A package for ${asked} is made on such a computer; this one is ${own}.`);
}
