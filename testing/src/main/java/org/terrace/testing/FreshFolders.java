package org.terrace.testing;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Empty temporary folders for a test that is called once more: JUnit makes them once for all calls.
 * Each is inside the one it replaces, with which JUnit removes it. Folders of the class, which its
 * tests share on purpose, stay. Stateless.
 */
final class FreshFolders {
  private FreshFolders() {}

  /** Replaces the folders in a test's fields. */
  static void intoFields(Object test) throws IOException, IllegalAccessException {
    for (Class<?> each = test.getClass(); each != Object.class; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.isAnnotationPresent(TempDir.class) && !Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          field.set(test, inside(field.get(test)));
        }
      }
    }
  }

  /** A test method's arguments with its folders replaced. */
  static @Nullable Object[] intoArguments(Method method, List<Object> arguments)
      throws IOException {
    @Nullable Object[] fresh = arguments.toArray();
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < fresh.length; i++) {
      if (parameters[i].isAnnotationPresent(TempDir.class)) {
        fresh[i] = inside(fresh[i]);
      }
    }
    return fresh;
  }

  private static @Nullable Object inside(@Nullable Object folder) throws IOException {
    return switch (folder) {
      case Path path -> Files.createTempDirectory(path, "again");
      case File file -> Files.createTempDirectory(file.toPath(), "again").toFile();
      case null, default -> folder;
    };
  }
}
