#pragma once

#include <string>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// Files that a study reads besides itself: its space, its networks, its data, its table of results.
//
// Where such a file is found in `folder`, its name in the settings becomes absolute, so that the study goes on from
// whatever folder it is run in.
void make_paths_absolute(StudySettings& settings, const std::string& folder);

// The same of one data set: a name, or a path with options.
std::string absolute_data(const std::string& name, const std::string& folder);

// Folders that were left open are those of the stored study, or `here` where it is a new one.
void fill_in_folders(StudySettings& settings, const StudySettings* stored, const std::string& here);

// The stored settings, where files that are now elsewhere, but hold the same, have the names that they have now.
StudySettings with_moved_files(Store& store, const StudySettings& stored, const StudySettings& wanted);

// Notes in a new study what its files hold; and checks, when it goes on, that they still do. Throws Error (kBadInput)
// that names the file: with another space or table it would be another study.
void note_inputs(Store& store, const StudySettings& settings);
void check_inputs(Store& store, const StudySettings& settings);

// How many classes a data set of the study has: as noted, also where its files are not at hand.
int data_classes(Store& store, const std::string& name);

}  // namespace actforge
