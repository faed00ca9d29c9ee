package org.terrace.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/**
 * An extension of JUnit, found by itself wherever this module is on the path, that lets each test
 * replay the seeds that once found a defect, and prints with each failure of a seeded test the
 * command that repeats it.
 *
 * <p>The seeds of the class {@code FooTest} are in the resource {@code FooTest.seeds} of its
 * package: a line for each with the name of the test method and the seed, and comments after {@code
 * #}. A test that draws by {@link Seeds#histories} has them before the fresh ones; one that draws
 * by {@link Seeds#next} is called once more for each, with temporary folders of its own: what one
 * call left there is nothing to the next. A test that failed and is run again has the seed that it
 * failed with, so that it cannot pass by another one: wherever it is drawn, in the method, in a
 * field, before or after each test or all of a class, in a factory of tests or in one that it made.
 */
@SuppressWarnings("exports") // JUnit is there where this is loaded, and only there.
public final class SeedReplay
    implements InvocationInterceptor,
        TestInstancePreConstructCallback,
        BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback {
  /** The seeds with which the first runs of test methods ended, by the test's identity. */
  private static final Map<String, Long> first = new HashMap<>();

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD; // fields belong to the test that they are made for
  }

  @Override
  public void preConstructTestInstance(TestInstanceFactoryContext made, ExtensionContext context) {
    FirstSeeds.begin(context.getUniqueId());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    FirstSeeds.begin(context.getUniqueId());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    FirstSeeds.begin(context.getUniqueId());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    FirstSeeds.end();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    FirstSeeds.end();
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext test,
      ExtensionContext context)
      throws Throwable {
    FirstSeeds.Run factory = FirstSeeds.beginInner(context.getUniqueId());
    try {
      invocation.proceed();
    } finally {
      FirstSeeds.returnTo(factory);
      ListedSeeds.end();
    }
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, method, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, method, context);
  }

  private static void run(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    Class<?> test = context.getRequiredTestClass();
    String identity = context.getUniqueId();
    boolean isSecondRun = drawnFirst(identity) != null;
    ListedSeeds.begin(seedsFor(test, method.getExecutable(), identity));
    try {
      boolean again = false;
      do {
        int before = ListedSeeds.remaining();
        if (again) {
          invokeAgain(method);
        } else {
          invocation.proceed();
        }
        if (before > 0 && ListedSeeds.remaining() == before) {
          throw new IllegalStateException(
              test.getSimpleName()
                  + ".seeds lists seeds that the test method "
                  + method.getExecutable().getName()
                  + " does not draw: it must call Seeds itself");
        }
        again = ListedSeeds.isReplaying() && !isSecondRun;
        if (again) {
          ListedSeeds.startAgain();
        }
      } while (again);
    } catch (Throwable failure) {
      tell(test, method.getExecutable());
      throw failure;
    } finally {
      remember(identity);
      ListedSeeds.end();
    }
  }

  private static void invokeAgain(ReflectiveInvocationContext<Method> method) throws Throwable {
    Method executable = method.getExecutable();
    executable.setAccessible(true);
    Object test = method.getTarget().orElse(null);
    if (test != null) {
      FreshFolders.intoFields(test);
    }
    try {
      executable.invoke(test, FreshFolders.intoArguments(executable, method.getArguments()));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static List<Long> seedsFor(Class<?> test, Method method, String identity) {
    if (Long.getLong("terrace.seed") != null) {
      return List.of();
    }
    Long again = drawnFirst(identity);
    return again != null ? List.of(again) : listedFor(test, method);
  }

  private static synchronized @Nullable Long drawnFirst(String identity) {
    return first.get(identity);
  }

  /** Keeps the seed of a test method though it passed: what is called after it may yet fail. */
  private static synchronized void remember(String identity) {
    Long seed = ListedSeeds.current();
    if (seed != null && ListedSeeds.isDrawnByMethod()) {
      first.putIfAbsent(identity, seed);
    }
  }

  private static void tell(Class<?> test, Method method) {
    Long seed = ListedSeeds.current();
    if (seed != null) {
      System.out.println(replayCommand(test, method, seed));
      System.out.println(listing(test, method, seed, ListedSeeds.isDrawnByMethod()));
    }
  }

  /** The command that repeats a failure, with the Java that this runs on. */
  static String replayCommand(Class<?> test, Method method, long seed) {
    return ("FAILED with seed %d. Replay: JAVA_HOME=%s ./mvnw -pl %s -am test -Dtest=%s#%s"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dterrace.seed=%d -Dterrace.histories=1")
        .formatted(
            seed,
            System.getProperty("java.home"),
            module(),
            test.getSimpleName(),
            method.getName(),
            seed);
  }

  /**
   * The advice that makes every build replay a mended seed; a list is for methods that draw
   * themselves.
   */
  static String listing(Class<?> test, Method method, long seed, boolean drawnByMethod) {
    return (drawnByMethod ? "Once mended, add" : "Once mended, draw in the method itself, and add")
        + " the line \"%s %d\" to %s/src/test/resources/%s.seeds"
            .formatted(method.getName(), seed, module(), test.getName().replace('.', '/'));
  }

  private static String module() {
    String root = System.getProperty("terrace.root", "");
    Path here = Path.of("").toAbsolutePath();
    return root.isEmpty() ? "." : Path.of(root).relativize(here).toString();
  }

  /** The seeds listed for a test method, in the order of the list. */
  static List<Long> listedFor(Class<?> test, Method method) {
    String name = test.getSimpleName() + ".seeds";
    List<Long> seeds = new ArrayList<>();
    try (InputStream in = test.getResourceAsStream(name)) {
      if (in == null) {
        return seeds;
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.replaceFirst("#.*", "").trim().split("\\s+", -1);
        if (words[0].isEmpty()) {
          continue;
        }
        if (words.length != 2 || !words[1].matches("-?\\d+") || !has(test, words[0])) {
          throw new IllegalStateException(
              name
                  + ": expected the name of a test method of "
                  + test.getSimpleName()
                  + " and a seed, got: "
                  + line);
        }
        if (words[0].equals(method.getName())) {
          seeds.add(Long.parseLong(words[1]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
    return seeds;
  }

  private static boolean has(Class<?> test, String method) {
    return Arrays.stream(test.getDeclaredMethods()).anyMatch(each -> each.getName().equals(method));
  }
}
