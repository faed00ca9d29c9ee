package org.terrace.studies;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.studies.design.Study;

/** The studies of the repository, read as users run them. */
public final class PublishedStudy {
  private PublishedStudy() {}

  /** The study of that name. */
  public static Study named(String name) {
    Path root = Path.of(System.getProperty("terrace.root", "../.."));
    Path file = root.resolve("studies").resolve(name + ".yaml");
    try {
      return Studies.read(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
