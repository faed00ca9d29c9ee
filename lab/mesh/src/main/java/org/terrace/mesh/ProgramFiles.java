package org.terrace.mesh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The files of programs as they were when the keys of trials were made. Immutable. */
final class ProgramFiles {
  /** A file that is not there. */
  private static final Seen GONE = new Seen("", "");

  /** The state of a file: its marks change whenever it is written, be it with the same bytes. */
  private record Seen(String marks, String digest) {}

  private final List<Path> places;
  private final SortedMap<Path, Seen> files;

  private ProgramFiles(List<Path> places, SortedMap<Path, Seen> files) {
    this.places = List.copyOf(places);
    this.files = files;
  }

  /**
   * Reads the files in some places.
   *
   * @param places files, and directories with all that is below them; what is not there may come
   */
  static ProgramFiles of(Collection<Path> places) {
    SortedMap<Path, Seen> files = new TreeMap<>();
    for (Path file : list(places)) {
      String marks = marks(file);
      files.put(file, new Seen(marks, TrialKey.content(file)));
    }
    return new ProgramFiles(List.copyOf(places), files);
  }

  /** These files and others, each as it was when it was read. */
  ProgramFiles and(ProgramFiles others) {
    List<Path> all = new ArrayList<>(places);
    all.addAll(others.places);
    SortedMap<Path, Seen> both = new TreeMap<>(others.files);
    both.putAll(files);
    return new ProgramFiles(all, both);
  }

  /** The digests of the files in one of the places, by their paths below it. */
  SortedMap<String, String> digests(Path place) {
    SortedMap<String, String> digests = new TreeMap<>();
    files.forEach((file, seen) -> {
      if (file.startsWith(place)) {
        digests.put(place.relativize(file).toString(), seen.digest());
      }
    });
    return digests;
  }

  /**
   * Checks that all files are as they were. Reads those alone that were written since.
   *
   * @throws TerraceException if one is not, which it names
   */
  void requireUnchanged() {
    changed()
        .ifPresent(file -> {
          throw new TerraceException(
              ErrorCode.CHECK_FAILED,
              file
                  + " has changed since the mesh began: the trial under way does not count, as"
                  + " trials of two programs are not mixed; run the command again, which runs every"
                  + " trial of the changed programs");
        });
  }

  /** A file that has other bytes than it had, has come or is gone. */
  Optional<Path> changed() {
    TreeSet<Path> all = new TreeSet<>(files.keySet());
    all.addAll(list(places));
    return all.stream()
        .filter(file -> {
          Seen before = files.getOrDefault(file, GONE);
          return !before.marks().equals(marks(file))
              && !before.digest().equals(TrialKey.content(file));
        })
        .findFirst();
  }

  private static NavigableSet<Path> list(Collection<Path> places) {
    NavigableSet<Path> found = new TreeSet<>();
    for (Path place : places) {
      if (Files.exists(place)) {
        try {
          Files.walkFileTree(
              place, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, into(found));
        } catch (IOException e) {
          throw new UncheckedIOException("the programs of a trial cannot be read", e);
        }
      }
    }
    return found;
  }

  /**
   * A visitor that gathers files, whatever links lead to them; one that leads back is passed by.
   */
  private static FileVisitor<Path> into(Collection<Path> found) {
    return new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
          found.add(file);
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof FileSystemLoopException) {
          return FileVisitResult.CONTINUE;
        }
        throw failure;
      }
    };
  }

  /** The size of a file and when its inode changed, which no copy sets back as it may its time. */
  private static String marks(Path file) {
    try {
      Map<String, Object> marks = Files.readAttributes(file, "unix:size,ino,ctime");
      return new TreeMap<>(marks).toString();
    } catch (NoSuchFileException e) {
      return GONE.marks();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
