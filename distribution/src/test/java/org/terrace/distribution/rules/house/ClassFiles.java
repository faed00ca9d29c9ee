package org.terrace.distribution.rules.house;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The class files that the compiler left below a folder. */
public final class ClassFiles {
  private ClassFiles() {}

  /** The models of all class files below a folder, in the order of their paths; none without it. */
  public static List<ClassModel> below(Path folder) throws IOException {
    List<ClassModel> models = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file :
            files.filter(each -> each.toString().endsWith(".class")).sorted().toList()) {
          models.add(ClassFile.of().parse(file));
        }
      }
    }
    return models;
  }
}
