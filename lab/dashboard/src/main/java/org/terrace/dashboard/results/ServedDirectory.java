package org.terrace.dashboard.results;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The directory that is served, and the only way into it: names lead downwards one by one, no
 * symbolic link is followed, and a result that holds one is not served. Whoever can write below the
 * directory while it is served could still put a link there between a check and a reading.
 * Immutable and thread-safe.
 */
public final class ServedDirectory {
  /** The deepest that a result may lie. */
  static final int MOST_SEGMENTS = 12;

  /** The size up to which a file is read at once. */
  public static final long MOST_BYTES = 256L << 20;

  private static final int LONGEST_NAME = 255;

  private final Path root;

  private ServedDirectory(Path root) {
    this.root = root;
  }

  /**
   * Opens a directory; it may itself be named by a link.
   *
   * @throws TerraceException if it is none
   */
  public static ServedDirectory open(Path directory) {
    try {
      Path real = directory.toRealPath();
      if (Files.isDirectory(real)) {
        return new ServedDirectory(real);
      }
    } catch (IOException e) {
      throw refused(directory, "there is no such directory", e);
    }
    throw refused(directory, "it is no directory", null);
  }

  private static TerraceException refused(Path directory, String why, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        directory + ": " + why + "; name one with results of terrace run or terrace analyze",
        cause);
  }

  /** The directory itself, without links. */
  public Path root() {
    return root;
  }

  /** The directory as a place. */
  public ResultPlace rootPlace() {
    return new ResultPlace(List.of(), root);
  }

  /**
   * The directory that names lead to.
   *
   * @param segments the names, each as it stands on disk
   * @return empty where a name is none, or leads to anything but a directory within
   */
  public Optional<ResultPlace> find(List<String> segments) {
    if (segments.size() > MOST_SEGMENTS) {
      return Optional.empty();
    }
    Path at = root;
    try {
      for (String segment : segments) {
        if (!isName(segment)) {
          return Optional.empty();
        }
        at = at.resolve(segment);
        if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
          return Optional.empty();
        }
      }
      boolean within = at.toRealPath().equals(at) && at.startsWith(root) && !holdsLink(at);
      return within ? Optional.of(new ResultPlace(segments, at)) : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * The file of a place, if the name is one of its own and it is a file and no link.
   *
   * @throws TerraceException if it is too large to be read at once; a capture never is
   */
  public static Optional<Path> file(ResultPlace place, String name) {
    if (!isName(name)) {
      return Optional.empty();
    }
    Path file = place.directory().resolve(name);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (!ResultFiles.isCapture(name) && file.toFile().length() > MOST_BYTES) {
      throw refused(file, "it has more than " + MOST_BYTES + " bytes", null);
    }
    return Optional.of(file);
  }

  /**
   * Requires of each file of a place that is read when its report is made, that it is one, and not
   * too large to be read at once.
   *
   * @return the bytes that they have together
   * @throws TerraceException with the first that is neither
   */
  public static long requireReadable(ResultPlace place) {
    long bytes = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(place.directory())) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (ResultFiles.isOfReport(name)) {
          Optional<Path> file = file(place, name);
          if (file.isEmpty()) {
            throw refused(entry, "it is no file", null);
          }
          bytes += file.get().toFile().length();
        }
      }
      return bytes;
    } catch (IOException | DirectoryIteratorException e) {
      throw refused(place.directory(), "it cannot be read", e);
    }
  }

  /**
   * Whether a text is the name of a directory or file, and neither leads elsewhere nor is hidden.
   */
  static boolean isName(String segment) {
    return !segment.isEmpty()
        && segment.length() <= LONGEST_NAME
        && segment.charAt(0) != '.'
        && segment.indexOf('/') < 0
        && segment.indexOf('\\') < 0
        && segment.chars().noneMatch(Character::isISOControl);
  }

  /** Whether a file in a directory is a link, which a reader would follow, or may be one. */
  static boolean holdsLink(Path directory) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (Files.isSymbolicLink(entry)
            && ResultFiles.isRead(String.valueOf(entry.getFileName()))) {
          return true;
        }
      }
    } catch (IOException e) {
      return true; // what cannot be looked at is not read
    }
    return false;
  }
}
