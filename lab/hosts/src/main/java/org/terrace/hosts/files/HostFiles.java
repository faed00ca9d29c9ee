package org.terrace.hosts.files;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The archives of the programs of a trial, by their digests. Immutable. */
public final class HostFiles {
  private static final String WILDCARD = "*";

  /**
   * An archive.
   *
   * @param digest its SHA-256, by which it lies in the cache of a host
   */
  public record Archive(Path file, String digest, long bytes) {
    public String name() {
      return file.getFileName().toString();
    }

    public Path in(Path cache) {
      return cache.resolve(digest).resolve(name());
    }
  }

  private final Map<String, List<Archive>> byClasspath = new LinkedHashMap<>();

  /** Reads the archives of some class paths. */
  public HostFiles(List<String> classpaths) {
    Map<Path, Archive> known = new LinkedHashMap<>();
    try {
      for (String classpath : classpaths) {
        List<Archive> archives = new ArrayList<>();
        for (Path file : files(classpath)) {
          if (!known.containsKey(file)) {
            known.put(file, new Archive(file, FileDigests.ofFile(file), Files.size(file)));
          }
          archives.add(known.get(file));
        }
        byClasspath.put(classpath, archives);
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "a program that hosts need cannot be read: " + e + "; build again with ./build",
          e);
    }
  }

  private static List<Path> files(String classpath) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (entry.endsWith(WILDCARD)) {
        try (Stream<Path> all = Files.list(Path.of(entry.substring(0, entry.length() - 1)))) {
          all.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(files::add);
        }
      } else {
        files.add(Path.of(entry));
      }
    }
    return files;
  }

  /** All archives, each once by its digest. */
  public List<Archive> all() {
    Map<String, Archive> all = new LinkedHashMap<>();
    byClasspath.values().forEach(each -> each.forEach(one -> all.put(one.digest(), one)));
    return List.copyOf(all.values());
  }

  /** A class path as the cache of a host has it. */
  public String in(Path cache, String classpath) {
    return byClasspath.getOrDefault(classpath, List.of()).stream()
        .map(archive -> archive.in(cache).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
