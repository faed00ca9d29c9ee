package org.terrace.distribution.rules.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A module of the house: a Maven artifact and the folder it is built in.
 *
 * @param folder the folder relative to the root, with slashes
 * @param mainUses by class of main code, the classes it names, both as binary names
 * @param testUses the same of test code
 */
public record Module(
    Path root,
    String folder,
    Pom pom,
    Map<String, Set<String>> mainUses,
    Map<String, Set<String>> testUses) {
  private static final String HOUSE_PREFIX = "terrace-";

  static Module read(Path root, String folder) throws IOException {
    Path place = root.resolve(folder);
    return new Module(
        root,
        folder,
        Pom.read(place.resolve("pom.xml")),
        ClassUses.below(place.resolve("target/classes")),
        ClassUses.below(place.resolve("target/test-classes")));
  }

  public static String shortName(String artifact) {
    return artifact.startsWith(HOUSE_PREFIX) ? artifact.substring(HOUSE_PREFIX.length()) : artifact;
  }

  /** The artifact without the name of the house: {@code groups-jgroups}. */
  public String name() {
    return shortName(pom.artifact());
  }

  /** The first folder of its path: {@code runtime}. */
  public String wing() {
    return folder.replaceFirst("/.*", "");
  }

  /** Sources whose class is older than they are, or is not there: nobody has compiled them. */
  List<Path> notCompiled() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String set : List.of("main", "test")) {
      Path from = root.resolve(folder).resolve("src/" + set + "/java");
      Path to =
          root.resolve(folder)
              .resolve(set.equals("main") ? "target/classes" : "target/test-classes");
      for (Path source : javaFiles("src/" + set + "/java")) {
        String name = from.relativize(source).toString();
        Path compiled = to.resolve(name.replaceFirst("java$", "class"));
        boolean declaresType = !name.endsWith("-info.java");
        if (declaresType && (!Files.exists(compiled) || isOlder(compiled, source))) {
          sources.add(source);
        }
      }
    }
    return sources;
  }

  private static boolean isOlder(Path compiled, Path source) throws IOException {
    return Files.getLastModifiedTime(compiled).compareTo(Files.getLastModifiedTime(source)) < 0;
  }

  /** The Java files of main code, sorted. */
  public List<Path> mainSources() {
    return javaFiles("src/main/java");
  }

  /** The Java files of test code, sorted. */
  public List<Path> testSources() {
    return javaFiles("src/test/java");
  }

  private List<Path> javaFiles(String part) {
    Path folderOfSources = root.resolve(folder).resolve(part);
    if (!Files.isDirectory(folderOfSources)) {
      return List.of();
    }
    try (var files = Files.walk(folderOfSources)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
