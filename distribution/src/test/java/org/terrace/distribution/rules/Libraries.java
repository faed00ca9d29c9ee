package org.terrace.distribution.rules;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Pom;

/** The jars of declared libraries in the local Maven repository, and the classes in them. */
final class Libraries {
  private final Path repository;
  private final Map<String, String> versions = new HashMap<>();
  private final Map<Path, Set<String>> classes = new HashMap<>();
  private final Set<String> packagesOfTheJdk = new HashSet<>();

  Libraries(House house, Path repository) throws IOException {
    this.repository = repository;
    manage(house.pom());
    for (var module : ModuleFinder.ofSystem().findAll()) {
      packagesOfTheJdk.addAll(module.descriptor().packages());
    }
  }

  boolean isOfTheJdk(String type) {
    int dot = type.lastIndexOf('.');
    return dot >= 0 && packagesOfTheJdk.contains(type.substring(0, dot));
  }

  /** The classes of a declared library; none if its jar has none, as an archive of programs. */
  Set<String> classesOf(Pom user, Pom.Dependency library) throws IOException {
    String version = library.version();
    if (version.isEmpty()) {
      version = versions.get(library.group() + ":" + library.artifact());
    }
    if (version == null) {
      throw new IOException("the version of " + library.artifact() + " is managed nowhere");
    }
    Path jar = file(library.group(), library.artifact(), user.resolve(version), "jar");
    Set<String> found = classes.get(jar);
    if (found == null) {
      found = classesIn(jar);
      classes.put(jar, found);
    }
    return found;
  }

  private void manage(Pom pom) throws IOException {
    for (Pom.Dependency managed : pom.managed()) {
      String group = pom.resolve(managed.group());
      String version = pom.resolve(managed.version());
      if (managed.scope().equals("import")) {
        manage(Pom.read(file(group, managed.artifact(), version, "pom")));
      } else {
        versions.putIfAbsent(group + ":" + managed.artifact(), version);
      }
    }
  }

  private Path file(String group, String artifact, String version, String type) {
    return repository
        .resolve(group.replace('.', '/'))
        .resolve(artifact)
        .resolve(version)
        .resolve(artifact + "-" + version + "." + type);
  }

  private static Set<String> classesIn(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      throw new IOException("no " + jar + ": build the project once, so that Maven fetches it");
    }
    Set<String> found = new HashSet<>();
    try (var zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
          .forEach(name -> found.add(name.substring(0, name.length() - 6).replace('/', '.')));
    }
    return found;
  }
}
