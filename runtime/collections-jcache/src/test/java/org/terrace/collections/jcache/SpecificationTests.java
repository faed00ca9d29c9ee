package org.terrace.collections.jcache;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The specification's own tests, and those of them that are known not to pass. */
final class SpecificationTests {
  /** Of annotations, which frameworks implement over any provider. */
  private static final String ANNOTATIONS = "org.jsr107.tck.annotation.";

  /** The names of the tests that do not pass, each with the reason. */
  static Map<String, String> notPassed() throws IOException {
    try (InputStream in = SpecificationTests.class.getResourceAsStream("not-passed.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split(": ", 2))
          .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }
  }

  /** The classes that hold tests, but for those of annotations. */
  static Stream<Class<?>> classes() throws IOException, ReflectiveOperationException {
    URL one = SpecificationTests.class.getResource("/org/jsr107/tck/CacheTest.class");
    JarURLConnection jar = (JarURLConnection) one.openConnection();
    jar.setUseCaches(false);
    try (JarFile file = jar.getJarFile()) {
      Set<String> names =
          file.stream()
              .map(entry -> entry.getName().replace('/', '.'))
              .filter(name -> name.endsWith("Test.class") && !name.startsWith(ANNOTATIONS))
              .map(name -> name.substring(0, name.length() - ".class".length()))
              .collect(Collectors.toCollection(TreeSet::new));
      Stream.Builder<Class<?>> classes = Stream.builder();
      for (String name : names) {
        Class<?> type = Class.forName(name);
        if (Arrays.stream(type.getMethods())
            .anyMatch(method -> method.isAnnotationPresent(org.junit.Test.class))) {
          classes.add(type);
        }
      }
      return classes.build();
    }
  }

  private SpecificationTests() {}
}
