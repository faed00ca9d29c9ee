package org.terrace.collections.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The list of the specification's tests that do not pass. */
class NotPassedTest {
  @Test
  void everyNamedTestIsOneOfThese() throws IOException, ReflectiveOperationException {
    Set<String> all = new TreeSet<>();
    SpecificationTests.classes()
        .forEach(type ->
            Arrays.stream(type.getMethods())
                .filter(method -> method.isAnnotationPresent(org.junit.Test.class))
                .forEach(method -> all.add(type.getName() + "#" + method.getName())));

    assertThat(all).hasSizeGreaterThan(300).containsAll(SpecificationTests.notPassed().keySet());
  }
}
