package org.terrace.mesh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A directory that a mesh may use: one that is not there, is empty, or is a mesh's by its lock, by
 * its results, or since nothing but trials is among its trials. Stateless.
 */
final class UsableDirectory {
  private UsableDirectory() {}

  /** Refuses a directory that holds something else than a mesh. */
  static void require(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    if (!Files.isDirectory(directory)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          directory + " is a file, expected a directory for the mesh; name another with --out");
    }
    try (Stream<Path> entries = Files.list(directory)) {
      boolean isMesh =
          Files.exists(directory.resolve(MeshFolder.LOCK))
              || Files.exists(directory.resolve(MeshFile.NAME))
              || holdsTrialsAlone(directory.resolve(MeshFolder.TRIALS));
      if (!isMesh && entries.findAny().isPresent()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            directory + " holds something that is no mesh; name another directory with --out");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holdsTrialsAlone(Path trials) throws IOException {
    if (!Files.isDirectory(trials)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(trials)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .allMatch(name ->
              name.equals(MeshFolder.SERVERS) || MeshFolder.OF_A_TRIAL.matcher(name).matches());
    }
  }
}
