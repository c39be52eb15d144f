import { type AfterPackContext, Arch } from 'electron-builder';

/**
 * Called before a package is made. One for another system or processor would be made without a word, and not start: what is
 * native among the packages is installed for this one only.
 */
export default function ownPlatform({ electronPlatformName, arch }: AfterPackContext): void {
  const [asked, own] = [`${electronPlatformName} ${Arch[arch]}`, `${process.platform} ${process.arch}`];
  if (asked !== own) throw new Error(`A package for ${asked} is made on such a computer; this one is ${own}.`);
}
