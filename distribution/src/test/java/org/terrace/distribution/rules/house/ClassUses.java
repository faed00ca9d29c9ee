package org.terrace.distribution.rules.house;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The classes that a class names, read from the constant pool of its class file.
 *
 * <p>Whatever code, signatures and annotations name stands there. A constant that the compiler
 * copied does not, nor does a link in a comment.
 */
public final class ClassUses {
  private static final Pattern TYPE_IN_SIGNATURE = Pattern.compile("L([\\w$]+(?:/[\\w$]+)+)[;<]");
  private static final Pattern SIGNATURE = Pattern.compile("[(\\[<LT].*[;V>\\])IJZBCDFS].*");

  private ClassUses() {}

  /** By class, the classes that it names, of all class files below a folder (maybe none). */
  static Map<String, Set<String>> below(Path folder) throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (ClassModel model : ClassFiles.below(folder)) {
      if (model.isModuleInfo()) {
        continue;
      }
      uses.put(dotted(model.thisClass().asInternalName()), namedBy(model));
    }
    return uses;
  }

  private static Set<String> namedBy(ClassModel model) {
    Set<String> named = new TreeSet<>();
    for (var entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry type -> addTypes(type.asInternalName(), named);
        case Utf8Entry text when SIGNATURE.matcher(text.stringValue()).matches() ->
            addTypesOfSignature(text.stringValue(), named);
        default -> {}
      }
    }
    return named;
  }

  private static void addTypes(String internalName, Set<String> named) {
    if (internalName.startsWith("[")) {
      addTypesOfSignature(internalName, named);
    } else {
      named.add(dotted(internalName));
    }
  }

  private static void addTypesOfSignature(String signature, Set<String> named) {
    Matcher types = TYPE_IN_SIGNATURE.matcher(signature);
    while (types.find()) {
      named.add(dotted(types.group(1)));
    }
  }

  private static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }
}
