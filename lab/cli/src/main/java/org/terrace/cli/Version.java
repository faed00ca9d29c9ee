package org.terrace.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this build and of the Java it runs on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"terrace " + number() + " (Java " + Runtime.version() + ")"};
  }

  /** The version in the manifest, or {@code development} outside a jar. */
  static String number() {
    String number = Version.class.getPackage().getImplementationVersion();
    return number == null ? "development" : number;
  }
}
