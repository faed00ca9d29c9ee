/** A bulletin board with RUBBoS's interactions, on embedded Tomcat and PostgreSQL. */
@org.jspecify.annotations.NullMarked
package org.terrace.board;
