package org.terrace.fleet;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The place where a data set is, in whichever file system. Paths are relative to it and have
 * slashes. Serializable, so that a task takes it along to another machine.
 */
public interface FleetStorage extends Serializable {
  /**
   * The names of what lies in a folder, sorted; none if there is no such folder.
   *
   * @throws IOException if it cannot be listed
   */
  List<String> list(String folder) throws IOException;

  /**
   * Opens a file to read.
   *
   * @throws IOException if it cannot be opened; a {@link NoSuchFileException} if it is not there
   */
  SeekableByteChannel open(String file) throws IOException;

  /** The place itself for messages. */
  @Override
  String toString();

  /** A folder of this machine, or one that every machine has under this path. */
  static FleetStorage of(Path folder) {
    return new LocalFolder(folder.toAbsolutePath().normalize().toString());
  }

  /** A folder; its path is kept as a text, which can be serialized. */
  record LocalFolder(String path) implements FleetStorage {
    @Override
    public List<String> list(String folder) throws IOException {
      try (Stream<Path> found = Files.list(Path.of(path, folder))) {
        return found.map(each -> each.getFileName().toString()).sorted().toList();
      } catch (NoSuchFileException e) {
        return List.of();
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }

    @Override
    public SeekableByteChannel open(String file) throws IOException {
      return FileChannel.open(Path.of(path, file));
    }

    @Override
    public String toString() {
      return path;
    }
  }
}
