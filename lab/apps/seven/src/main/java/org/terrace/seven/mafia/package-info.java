/** Mafia: a town that votes by day and is killed by night, until one side has won. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.mafia;
