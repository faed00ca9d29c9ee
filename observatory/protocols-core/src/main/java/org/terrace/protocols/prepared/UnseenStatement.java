package org.terrace.protocols.prepared;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.RequestClass;

/**
 * A statement that was prepared before the capture began, as far as its executions and their
 * answers tell of it. Its name is made of that alone and not of the name by which a driver calls
 * it, so that one statement has one class on all connections; on one connection the driver's name
 * carries what was told once over to later executions (docs/decisions/0503). Confined to one
 * thread.
 */
public final class UnseenStatement {
  private static final int UNTOLD = -1;

  private boolean asked;
  private boolean askedByTypes;
  private String request = "";
  private String types = "";
  private String format = "";
  private String verb = "";
  private String columns = "";
  private int columnCount = UNTOLD;
  private boolean certain;
  private int requestClass = StatementNames.UNKNOWN;
  private int keptEdition;
  private @Nullable Told before;
  private Told held = Told.NOTHING;

  /** The part of a shape that answers told. */
  private record Told(String verb, String columns, int columnCount, boolean certain) {
    private static final Told NOTHING = new Told("", "", UNTOLD, false);
  }

  UnseenStatement() {}

  /** Whether nothing that its answers tell can change its name any more. */
  public boolean isCertain() {
    return certain;
  }

  /** Makes the name certain: nothing that is told from now on changes it. */
  public void settle() {
    certain = true;
  }

  /**
   * Notes what its executions look like, such as {@code 2 parameters}; what was noted first counts.
   */
  public void asked(String text) {
    asked(text, "");
  }

  /** Notes also what the types of their parameters tell, such as {@code (int)}. */
  public void asked(String text, String ofTypes) {
    if (!asked) {
      asked = true;
      request = text;
      types = ofTypes;
      changed();
    }
  }

  /** Notes what an execution tells that does not tell all; another one may tell more. */
  public void askedInPart(String text) {
    if (!asked) {
      request = text;
      changed();
    }
  }

  /** Whether its name says what an execution told that did not tell all. */
  public boolean isToldInPart() {
    return !asked && askedByTypes && !request.isEmpty();
  }

  /**
   * Notes that the types of parameters, which an execution told, tell what executions look like.
   */
  public void askedByTypes() {
    askedByTypes = true;
  }

  /** Takes back what its executions look like: its answers tell enough. */
  public void needNotAsk() {
    asked = true;
    request = "";
    types = "";
    changed();
  }

  /** Notes the format in which it asks for all columns. */
  void asksFor(String ofColumns) {
    format = ofColumns;
  }

  /** The format in which it asks for all columns; empty where that was not seen. */
  String format() {
    return format;
  }

  /** Notes what it does, by the word with which the server ends its answers. */
  public void does(String word) {
    verb = word;
    changed();
  }

  /** The word with which the server ends its answers; empty as long as none was seen. */
  public String verb() {
    return verb;
  }

  /** Notes the columns of its results, of which there may be none. */
  public void answers(String text, int count) {
    columns = text;
    columnCount = count;
    changed();
  }

  /** Whether it is known which columns its results have, or that it has no results. */
  public boolean hasKnownColumns() {
    return columnCount != UNTOLD;
  }

  /** Notes that answers from now on may be another's, until {@link #believe} says. */
  public void doubt() {
    if (before == null) {
      before = told();
    }
  }

  /** Says whether what was told in doubt was told of it, and takes it back otherwise. */
  public void believe(boolean isRight) {
    Told told = before;
    if (told != null && !isRight) {
      restore(told);
    }
    before = null;
  }

  /** Says that what its answers told so far holds whatever comes later. */
  void holdSoFar() {
    held = told();
  }

  /** Takes back all that its answers told since {@link #holdSoFar}. */
  void takeBack() {
    restore(held);
    before = null;
  }

  private Told told() {
    return new Told(verb, columns, columnCount, certain);
  }

  private void restore(Told told) {
    verb = told.verb;
    columns = told.columns;
    columnCount = told.columnCount;
    certain = told.certain;
    changed();
  }

  private void changed() {
    requestClass = StatementNames.UNKNOWN;
  }

  /**
   * The number of the class that {@link #name} had last, or {@link StatementNames#UNKNOWN}.
   *
   * @param edition a number that changes with what executions of the capture tell of types
   */
  public int requestClass(int edition) {
    return keptEdition == edition ? requestClass : StatementNames.UNKNOWN;
  }

  /** Keeps the number of its class until its name or the edition changes. */
  public void keep(int number, int edition) {
    requestClass = number;
    keptEdition = edition;
  }

  /**
   * The name of its class, by what was told so far.
   *
   * @param told what executions of statements of its shape tell of the types of their parameters
   */
  public String name(TypesTold told) {
    if (verb.isEmpty() && columnCount == UNTOLD) {
      return RequestClass.PREPARED_BEFORE;
    }
    StringBuilder name = new StringBuilder(RequestClass.PREPARED_BEFORE);
    for (String part : new String[] {verb, columns}) {
      if (!part.isEmpty()) {
        name.append(' ').append(part);
      }
    }
    if (!request.isEmpty() && (told != TypesTold.ONCE || !askedByTypes)) {
      name.append(", ").append(request);
      name.append(told == TypesTold.EACH_TIME && !types.isEmpty() ? " " + types : "");
    }
    return name.toString();
  }
}
