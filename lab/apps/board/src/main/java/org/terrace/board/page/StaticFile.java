package org.terrace.board.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A style sheet or image of the pages; its path changes with its content, so it may be kept for
 * ever. Immutable.
 */
public final class StaticFile {
  static final StaticFile STYLE = new StaticFile("board", ".css", "text/css;charset=utf-8");
  static final StaticFile ICON = new StaticFile("icon", ".svg", "image/svg+xml");

  private final String path;
  private final String type;
  private final byte[] content;

  private StaticFile(String name, String extension, String type) {
    this.type = type;
    try (InputStream file = StaticFile.class.getResourceAsStream(name + extension)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks " + name + extension);
      }
      this.content = file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CRC32 checksum = new CRC32();
    checksum.update(content);
    this.path = "/%s-%08x%s".formatted(name, checksum.getValue(), extension);
  }

  /** The file at a path. */
  public static Optional<StaticFile> at(String path) {
    return Stream.of(STYLE, ICON).filter(file -> file.path.equals(path)).findFirst();
  }

  /** The path of the file below the site's root. */
  public String path() {
    return path;
  }

  /** The media type of the file. */
  public String type() {
    return type;
  }

  /** The content of the file, a fresh copy. */
  public byte[] content() {
    return content.clone();
  }
}
