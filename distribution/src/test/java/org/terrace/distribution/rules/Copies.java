package org.terrace.distribution.rules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The rule of the one way in which records are copied: a method calls the canonical constructor
 * with the components in their order, one of them replaced. What goes to the place of another
 * component of its record would exchange two settings, which the compiler lets pass when their
 * types are the same.
 */
final class Copies {
  private final List<String> breaches = new ArrayList<>();
  private int found;

  /** The copies in main code, and those that exchange components. */
  static Copies in(House house) throws IOException {
    var copies = new Copies();
    for (Module module : house.modules()) {
      copies.read(module.mainSources());
    }
    return copies;
  }

  /** The sentences that name a copy in which a component stands in the place of another. */
  List<String> breaches() {
    return breaches;
  }

  /** The number of copies. */
  int found() {
    return found;
  }

  private void read(List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return;
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var sources = manager.getJavaFileObjectsFromPaths(files);
      var task =
          (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null, sources);
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(new Records(), null);
      }
    }
  }

  /** The search for records. */
  private final class Records extends TreeScanner<Void, Void> {
    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      if (type.getKind() == Tree.Kind.RECORD) {
        List<String> components = new ArrayList<>();
        for (Tree member : type.getMembers()) {
          if (member instanceof VariableTree field
              && !field.getModifiers().getFlags().contains(Modifier.STATIC)) {
            components.add(field.getName().toString());
          }
        }
        for (Tree member : type.getMembers()) {
          if (member instanceof MethodTree method
              && !method.getModifiers().getFlags().contains(Modifier.STATIC)) {
            method.accept(
                new Calls(type.getSimpleName().toString(), method.getName().toString(), components),
                null);
          }
        }
      }
      return super.visitClass(type, null);
    }
  }

  /** The search for calls of a record's canonical constructor in one of its methods. */
  private final class Calls extends TreeScanner<Void, Void> {
    private final String type;
    private final String method;
    private final List<String> components;

    Calls(String type, String method, List<String> components) {
      this.type = type;
      this.method = method;
      this.components = components;
    }

    @Override
    public Void visitNewClass(NewClassTree call, Void nothing) {
      List<? extends ExpressionTree> arguments = call.getArguments();
      if (name(call.getIdentifier()).equals(type) && arguments.size() == components.size()) {
        found++;
        for (int i = 0; i < arguments.size(); i++) {
          if (arguments.get(i) instanceof IdentifierTree given) {
            String name = given.getName().toString();
            if (components.contains(name) && !components.get(i).equals(name)) {
              breaches.add(
                  "%s.%s puts %s in the place of %s"
                      .formatted(type, method, name, components.get(i)));
            }
          }
        }
      }
      return super.visitNewClass(call, null);
    }

    private static String name(Tree type) {
      Tree raw = type instanceof ParameterizedTypeTree generic ? generic.getType() : type;
      return raw instanceof IdentifierTree named ? named.getName().toString() : "";
    }
  }
}
