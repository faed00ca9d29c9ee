package org.terrace.hosts;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The classes of an agent and of this test in archives, as a distribution has them. */
final class ArchivedClasses {
  private ArchivedClasses() {}

  /** The class path of archives in a folder. */
  static String in(Path folder) throws IOException {
    List<String> archives = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path place = Path.of(entry);
      if (Files.isDirectory(place)) {
        Path archive = folder.resolve("classes-" + archives.size() + ".jar");
        write(place, archive);
        archives.add(archive.toString());
      } else if (isNeeded(place.getFileName().toString())) {
        archives.add(entry);
      }
    }
    return String.join(File.pathSeparator, archives);
  }

  /** Whether an agent needs an archive: its own modules are archives where a build packs them. */
  private static boolean isNeeded(String name) {
    return name.startsWith("terrace-") || name.startsWith("jackson");
  }

  private static void write(Path classes, Path archive) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(archive));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        JarEntry entry = new JarEntry(classes.relativize(file).toString());
        entry.setTime(0); // the same bytes, whenever it is made
        jar.putNextEntry(entry);
        Files.copy(file, jar);
      }
    }
  }
}
