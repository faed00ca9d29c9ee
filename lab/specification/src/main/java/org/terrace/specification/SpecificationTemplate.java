package org.terrace.specification;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/**
 * A commented specification to begin with, which runs as it is. Immutable.
 *
 * <p>A line of its text that begins with {@code #} and no space is a field that is left out.
 */
public enum SpecificationTemplate {
  /** The board under load, with one fault. */
  EXPERIMENT,
  /** Two configurations of it under two loads. */
  MESH,
  /** A program of the user's own under load. */
  PROGRAM;

  /** The name of the file that it is written to unless another is named. */
  public String fileName() {
    return word() + ".yaml";
  }

  /** The text of the template, the same each time. */
  public String text() {
    String name = word() + ".template.yaml";
    try (InputStream stream = SpecificationTemplate.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
