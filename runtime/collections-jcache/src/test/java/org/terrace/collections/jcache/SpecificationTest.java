package org.terrace.collections.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.terrace.testing.Depth;

/**
 * The specification's own tests (its TCK): all pass but those that {@code not-passed.txt} names
 * with the reason, and those do not pass.
 */
@Tag("real-processes")
@Tag("untimed")
class SpecificationTest {
  private static String name(Description test) {
    return test.getClassName() + "#" + test.getMethodName();
  }

  static Stream<Class<?>> classes() throws IOException, ReflectiveOperationException {
    return SpecificationTests.classes().limit(Depth.of(Integer.MAX_VALUE, 10));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void exactlyThoseThatAreNamedDoNotPass(Class<?> tests) throws IOException {
    System.setProperty(CacheManager.class.getName(), ReplicatedCacheManager.class.getName());
    System.setProperty(Cache.class.getName(), ReplicatedCache.class.getName());
    System.setProperty("javax.cache.Cache.Entry", CacheEntry.class.getName());
    System.setProperty("org.jsr107.tck.support.server.address", "127.0.0.1");
    try (TerraceCachingProvider provider = new TerraceCachingProvider()) {
      assertThat(provider.getCacheManager()).isInstanceOf(ReplicatedCacheManager.class);
    }
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
    Set<String> named = new TreeSet<>(SpecificationTests.notPassed().keySet());
    named.removeIf(test -> !test.startsWith(tests.getName() + "#"));
    assertThat(failures.keySet()).as("%s", failures).isEqualTo(named);
  }
}
