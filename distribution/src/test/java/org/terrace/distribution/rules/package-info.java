/**
 * The rules of the house: functions from the project's own files to the sentences that name what
 * breaks them. Each has a test in which it is broken on purpose; {@code HouseRulesTest} asks them
 * all of the project. Rules of one kind have a package beside this one.
 */
package org.terrace.distribution.rules;
