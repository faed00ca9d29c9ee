package org.terrace.collections.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * The specification's own tests (its TCK): all pass but those that {@code not-passed.txt} names
 * with the reason, and those do not pass.
 */
@Tag("real-processes")
class SpecificationTest {
  /** Of annotations, which frameworks implement over any provider. */
  private static final String ANNOTATIONS = "org.jsr107.tck.annotation.";

  /** The names of the tests that do not pass, each with the reason. */
  private static Map<String, String> notPassed() throws IOException {
    try (InputStream in = SpecificationTest.class.getResourceAsStream("not-passed.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split(": ", 2))
          .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }
  }

  static Stream<Class<?>> classes() throws IOException, ReflectiveOperationException {
    URL one = SpecificationTest.class.getResource("/org/jsr107/tck/CacheTest.class");
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

  private static String name(Description test) {
    return test.getClassName() + "#" + test.getMethodName();
  }

  @ParameterizedTest
  @MethodSource("classes")
  void exactlyThoseThatAreNamedDoNotPass(Class<?> tests) throws IOException {
    System.setProperty(CacheManager.class.getName(), ReplicatedCacheManager.class.getName());
    System.setProperty(Cache.class.getName(), ReplicatedCache.class.getName());
    System.setProperty("javax.cache.Cache.Entry", CacheEntry.class.getName());
    System.setProperty("org.jsr107.tck.support.server.address", "127.0.0.1");
    Map<String, String> failures = new TreeMap<>();
    JUnitCore runner = new JUnitCore();
    runner.addListener(
        new RunListener() {
          @Override
          public void testFailure(Failure failure) {
            failures.put(name(failure.getDescription()), failure.getTrimmedTrace());
          }
        });

    Result result = runner.run(tests);

    assertThat(result.getRunCount()).isPositive();
    Set<String> named = new TreeSet<>(notPassed().keySet());
    named.removeIf(test -> !test.startsWith(tests.getName() + "#"));
    assertThat(failures.keySet()).as("%s", failures).isEqualTo(named);
  }

  @Test
  void everyNamedTestIsOneOfThese() throws IOException, ReflectiveOperationException {
    Set<String> all = new TreeSet<>();
    classes()
        .forEach(type ->
            Arrays.stream(type.getMethods())
                .filter(method -> method.isAnnotationPresent(org.junit.Test.class))
                .forEach(method -> all.add(type.getName() + "#" + method.getName())));

    assertThat(all).hasSizeGreaterThan(300).containsAll(notPassed().keySet());
  }
}
